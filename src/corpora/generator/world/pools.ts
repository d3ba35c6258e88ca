import { type Term, terms } from "./model.ts";

const words = (list: string): string[] => list.split(" ");

/** Syllables of invented names: one of each gives a name that can be pronounced and belongs to nobody. */
export const starts = words(
  "Mar Tol Bren Cal Dor El Fen Gar Hal Is Jor Kel Lun Mor Nor Or Pel Quil Ros Sel Tam Ul Ven Wil Yar Zan Ard Bel Corv Dun Esk Fal Grim Hest Ing Kir Lod Mer Ned Ost",
);
export const middles = words("a e i o u en ar il or an el in ov es ith und");
export const townEnds = words(
  "dale ford wick mouth holm stead bury haven ley ness port by combe garth mere thorpe bridge field vik strand",
);
export const familyEnds = words(
  "vik sson man ley ric ton dell mund quist bach sen mark ros hart land berg wald gren low ski",
);
export const firstNames = words(
  "Maren Tobin Elsie Rufus Odile Casper Linnea Ivo Greta Anselm Petra Jonas Mirela Stellan Hedda Bram Yara Felix Nadia Emeric Sunniva Leopold Amara Dov Ottilie Kasimir Ronja Silas Beatrix Hamish Ilse Matteo Freya Aldo Zora Piet Camille Edmund Signe Tariq",
);
export const firms = words(
  "Works Brothers Foods Labs Partners Group Mills Motors Systems Traders Foundry Supply Energy Textiles Press Logistics",
);

/** Words of titles and brands. */
export const adjectives = words(
  "Salt Quiet Silver Hollow Crooked Amber Northern Broken Velvet Distant Paper Winter Scarlet Hidden Iron Golden Wandering Glass Pale Sleeping Copper Burning Stolen Tidal Wooden Blue Patient Restless Last Second Ninth Early",
);
export const nouns = words(
  "Lantern Orchard Harbour Compass Garden Letter Bridge Winter Mirror Kingdom River Clock Feather Meadow Station Window Crown Island Archive Thread Sparrow Furnace Tide Ladder Map Bell Shore Cathedral Lighthouse Ledger Ferry Anvil",
);

/** Regions of the world, in every text about where something is. */
export const regions: Term[] = terms(
  "Ostmark Vale",
  "Kelder Coast",
  "Upper Tarn",
  "Lower Tarn",
  "Brennish Isles",
  "Marrow Hills",
  "Sundry Plain",
  "Calder Delta",
  "North Esk",
  "Vennland",
  "Ardmoor",
  "Quill Peninsula",
  "Hestia Basin",
  "Lode Country",
  "Pelham Fens",
  "Corvane",
  "Dunmere",
  "Selby Reach",
  "Tolvania",
  "Isk Highlands",
  "Garrow Bay",
  "Fallow Downs",
  "Merrin Lakes",
  "Yarrow Forest",
);

/** Names of people who are facts of something else: founders, authors, winners. */
export const people: Term[] = firstNames.flatMap((first, at) =>
  [3, 11, 17].map((shift) => [
    `${first} ${starts[(at * 7 + shift) % starts.length]}${familyEnds[(at * 3 + shift) % familyEnds.length]}`,
  ]),
);
