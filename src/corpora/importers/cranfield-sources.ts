import type { Source } from "./site-rule.ts";

/**
 * Who published a paper, by the beginning of its bibliographic line: the first that fits holds. The lines are typed
 * freely (`j. ae. scs. 25, 1958`, `naca tn.3792`), so blanks and full stops are taken out before.
 */
const publishers: readonly (readonly [label: string, name: string, beginning: RegExp])[] = [
  ["naca", "NACA reports and notes", /^(n?aca|nacca|washnaca)/],
  ["nasa", "NASA reports and notes", /^nasa/],
  [
    "aerospace-sciences",
    "Journal of the Aeronautical and Aerospace Sciences",
    /^(j|jnl|jour)a(e|ero|eronautical|erospace)(sp)?s|^(j|jnl)aerosp|^ias/,
  ],
  ["aiaa", "AIAA and ARS journals and papers", /^(aiaa|ars|jars|jamrocket|jetprop|jjetprop)/],
  ["arc", "Aeronautical Research Council", /^(arc|r\+m|r&m|brarc)/],
  ["rae", "Royal Aircraft Establishment", /^(rae|royalaircraft)/],
  [
    "aeronautical-society",
    "Royal Aeronautical Society and Aeronautical Quarterly",
    /^(j|jnl)r(oy)?ae|^aero(nautical)?q/,
  ],
  [
    "fluids",
    "Journals of fluid mechanics and physics",
    /^(jfluid|jfm|phys|jphys|jappphys|japplphys|jchem|procroy|philtrans|procphys|proccamb)/,
  ],
  [
    "applied-mechanics",
    "Journals of mechanics and mathematics",
    /^(japp|jappl|asme|transasme|qapp|qj|quart|jmath|procasce|procnat|jmech|zamp|zamm|comm)/,
  ],
];

/** The publisher of a paper as a site of the set; what fits none is `other`. */
export function cranfieldSource(bibliography: string): Source {
  const key = bibliography.toLowerCase().replace(/[\s.,]+/g, "");
  const found = publishers.find(([, , beginning]) => beginning.test(key));
  const [label, name] = found ?? ["other", "Theses, books and other reports"];
  return { host: `${label}.cranfield.example`, name };
}
