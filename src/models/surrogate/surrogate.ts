import type { ModelAnswer, ModelPort } from "../../agents/ports.ts";
import { estimateTokens, type ModelParameters, type ModelRequest } from "../../agents/prompt.ts";
import { decisions, logLogistic } from "./chance.ts";
import { contentAgentAction } from "./content-agent.ts";
import { write } from "./malformed.ts";
import { type LoadedProfile, loadProfile, type Profile } from "./profile.ts";
import { readParts, readText, type Situation } from "./situation.ts";
import { userAgentAction } from "./user-agent.ts";

// The surrogate stands in for a language model where none is at hand. It reads the prompts that a model would read and
// writes the actions that a model would write, by rules: words in common, thresholds, odds and noise, whose parameters
// are a profile. It is an assumption about how agents behave, made to be quick, free and repeatable. It is no evidence
// about any language model: what a profile named after a model does was set to resemble published figures, and
// nothing else of that model is in it.
//
// It sees a prompt, its parameters and a seed. No corpus, no ground truth, no part of the simulator reaches it.

/** A model that answers at once. */
export interface SurrogateModel extends ModelPort {
  ask(request: ModelRequest): ModelAnswer;
}

/**
 * The surrogate with a profile: one of those that come with awesim, by name, or any, by the path of its YAML file.
 * It answers at once, and the same request always in the same way.
 * @throws InputError when there is no such profile, or when the file is not one
 */
export function surrogateModel(profile: string): SurrogateModel {
  const loaded = loadProfile(profile);
  return {
    identity: loaded.identity,
    ask: ({ parts, parameters, seed }) => {
      const profile = profileFor(loaded, parameters);
      return answer(profile, readParts(parts, profile), parameters, seed);
    },
  };
}

/** What the surrogate answers to the full text of a prompt, as an endpoint gets it: the same as to its parts. */
export function answerText(
  loaded: LoadedProfile,
  text: string,
  parameters: ModelParameters,
  seed: number,
): ModelAnswer {
  const profile = profileFor(loaded, parameters);
  return answer(profile, readText(text, profile), parameters, seed);
}

function profileFor({ thinking, notThinking }: LoadedProfile, parameters: ModelParameters): Profile {
  return parameters.thinking ? thinking : notThinking;
}

function answer(
  profile: Profile,
  situation: Situation,
  { thinking, maxTokens }: ModelParameters,
  seed: number,
): ModelAnswer {
  const text = speak(situation, profile, seed);
  const { median, spread } = profile["thought-tokens"];
  const thoughtTokens = thinking ? Math.round(logLogistic(seed, decisions.thoughtTokens, median, spread)) : 0;
  const promptTokens = Math.ceil(situation.length / 4);
  const completionTokens = estimateTokens(text);
  if (thoughtTokens + completionTokens > maxTokens) return cut(text, thoughtTokens, maxTokens, promptTokens);
  const usage = { promptTokens, completionTokens, thoughtTokens };
  return thinking ? { text, thought: thoughtOn(situation), finish: "stop", usage } : { text, finish: "stop", usage };
}

/** Findings are what a site's own agent answers with; every other agent is a user's. */
function speak(situation: Situation, profile: Profile, seed: number): string {
  return situation.assignment.answer === "findings"
    ? write(contentAgentAction(situation, profile, seed), situation, profile["content-agent"].malformed, seed)
    : write(userAgentAction(situation, profile, seed), situation, profile["user-agent"].malformed, seed);
}

/** An answer that ran out of tokens, perhaps before it began. */
function cut(text: string, thoughtTokens: number, maxTokens: number, promptTokens: number): ModelAnswer {
  const thought = Math.min(thoughtTokens, maxTokens);
  const kept = text.slice(0, 4 * (maxTokens - thought));
  const usage = { promptTokens, completionTokens: estimateTokens(kept), thoughtTokens: thought };
  return { text: kept, finish: "length", usage };
}

function thoughtOn({ searches, pages }: Situation): string {
  return `(No model thought this: a surrogate's rules were applied. Searches: ${searches.length}, pages: ${pages.length}.)`;
}
