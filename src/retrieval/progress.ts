/** Told how far a piece of work is: `total` is null while it is unknown; `label` names the work. */
export type Progress = (done: number, total: number | null, label: string) => void;
