/** A line of CSV (RFC 4180), its newline included. Null is an empty field. */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(csvField).join(",")}\n`;
}

function csvField(field: string | number | null): string {
  if (field === null) return "";
  const text = String(field);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
