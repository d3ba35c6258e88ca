import { durationText, shareText } from "../units.ts";

/** The fields of an intervention as its fact states them. */
export interface StatedIntervention {
  readonly kind?: unknown;
  readonly sites?: unknown;
  readonly site?: unknown;
  readonly assistant?: unknown;
  readonly factor?: unknown;
  readonly share?: unknown;
  readonly forMs?: unknown;
}

/** An intervention in a few words, such as `outage of encyclopedia.example for 2 h`. */
export function interventionText(intervention: StatedIntervention): string {
  const { forMs } = intervention;
  return `${what(intervention)}${typeof forMs === "number" ? ` for ${durationText(forMs)}` : ""}`;
}

function what(intervention: StatedIntervention): string {
  const sites = sitesOf(intervention);
  const { kind, assistant, factor, share } = intervention;
  switch (kind) {
    case "outage":
      return `outage of ${sites}`;
    case "remove":
      return `removal of ${sites}`;
    case "add":
      return `${sites} joins`;
    case "block":
      return `agents blocked by ${sites}`;
    case "unblock":
      return `agents let in again by ${sites}`;
    case "set":
      return `change of ${sites}`;
    case "set-population":
      return "change of the population";
    case "set-assistant":
      return `change of assistant ${String(assistant)}`;
    case "demand":
      return `demand times ${String(factor)}`;
    case "topic-shock":
      return `${typeof share === "number" ? shareText(share) : "some"} of the queries on few topics`;
    default:
      return `${String(kind ?? "intervention")} ${sites}`.trim();
  }
}

const mostNamed = 3;

function sitesOf({ sites, site }: StatedIntervention): string {
  const all = Array.isArray(sites) ? sites.map(String) : site === undefined ? [] : [String(site)];
  const rest = all.length - mostNamed;
  return `${all.slice(0, mostNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
