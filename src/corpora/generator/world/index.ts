import { film, musician, novel } from "./culture.ts";
import { dish, drink } from "./food.ts";
import { condition, medicine } from "./health.ts";
import { craft, repair } from "./home.ts";
import type { Kind } from "./model.ts";
import { animal, plant } from "./nature.ts";
import { explorer, study } from "./science.ts";
import { benefit, company, occupation } from "./society.ts";
import { club, race } from "./sports.ts";
import { gadget, library } from "./technology.ts";
import { museum, town, trail } from "./travel.ts";

/** Every kind of entity. A kind added or moved changes the draws of all: the generator's version goes up. */
export const kinds: readonly Kind[] = [
  dish,
  drink,
  town,
  trail,
  museum,
  novel,
  film,
  musician,
  animal,
  plant,
  condition,
  medicine,
  gadget,
  library,
  benefit,
  company,
  occupation,
  club,
  race,
  study,
  explorer,
  repair,
  craft,
];
