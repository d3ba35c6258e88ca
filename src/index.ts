export { InputError } from "./errors.ts";
export type { Hit, IndexPort, ModelAnswer, ModelPort, PagePort } from "./agents/ports.ts";
export type { ModelParameters, ModelRequest, PromptPart, Segment, SegmentGroup } from "./agents/prompt.ts";
export { promptText, segmentsOf } from "./agents/prompt.ts";
export type {
  CentralSearch,
  ModelStrategy,
  RetrievalStrategy,
  SearchContext,
  SearchPlan,
  SitesSearch,
  Strategy,
} from "./agents/strategy.ts";
export type { Answer, Outcome, Scores, Task } from "./agents/task.ts";
export type {
  DeepResearchTopic,
  Document,
  QuestionAnsweringTopic,
  Site,
  TaskName,
  WebRecommendationTopic,
  WebSearchTopic,
} from "./corpora/format.ts";
export { Kernel, kernelClock } from "./kernel/kernel.ts";
export { poissonProcess, Zipf } from "./kernel/distributions.ts";
export { Stream, Streams } from "./kernel/random.ts";
export { loadProfile } from "./models/surrogate/profile.ts";
export { answerText, surrogateModel } from "./models/surrogate/surrogate.ts";
export { openRetrieval, type Retrieval } from "./retrieval/retrieval.ts";
export { RunControl } from "./run/control.ts";
export { execute, type ExecuteOptions, type RunEnd, type RunObserver } from "./run/execute.ts";
export { gatherInputs } from "./run/gather.ts";
export { livePorts, openModels } from "./run/live-ports.ts";
export { type LoadedScenario, loadScenario } from "./scenario/load.ts";
export { strategyNames } from "./strategies/registry.ts";
export type { Scenario } from "./scenario/schema.ts";
export { FactStream } from "./trace/fact-stream.ts";
export type { Fact, FactBody, FactOf, FactType } from "./trace/facts.ts";
export { TapeReader } from "./trace/tape-reader.ts";
