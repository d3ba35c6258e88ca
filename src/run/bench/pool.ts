import { type ChildProcess, fork } from "node:child_process";

/** What a worker process says: how far its job is, what it wants to know, or what came of the job. */
export type WorkerMessage<Result> =
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "question"; readonly question: unknown }
  | { readonly kind: "result"; readonly result: Result };

export interface PoolOptions<Job, Result> {
  /** The module that a worker process runs; it takes a job as a message, and answers with `WorkerMessage`s. */
  readonly worker: URL;
  readonly workers: number;
  readonly jobs: readonly Job[];
  readonly onProgress: (job: Job, done: number) => void;
  readonly onResult: (job: Job, result: Result) => void;
  /** Answers a question, or takes note of it (null); the answer is sent to the process that asked. */
  readonly onQuestion?: (question: unknown) => object | null;
  /** Whether another job may begin; those that have begun end as they would. */
  readonly goesOn?: () => boolean;
  /** A process that died over a job, of memory for one: the others go on. */
  readonly onCrash: (job: Job, why: string) => void;
  readonly signal: AbortSignal;
}

/** A run makes and drops many small objects: the flags with which awesim itself runs. */
const flags = ["--max-semi-space-size=64", "--heap-growing-percent=20"];

/**
 * Works off jobs in processes of their own, in order, each process one at a time. A process that dies takes its job
 * with it and is replaced. Resolves when all jobs have ended, or at once when the signal aborts.
 */
export async function workOff<Job, Result>(options: PoolOptions<Job, Result>): Promise<void> {
  const { jobs, workers, signal } = options;
  const queue = [...jobs];
  const lanes = Array.from({ length: Math.min(workers, jobs.length) }, () => workLane(options, queue));
  await Promise.race([Promise.all(lanes), aborted(signal)]);
}

async function workLane<Job, Result>(options: PoolOptions<Job, Result>, queue: Job[]): Promise<void> {
  let child: ChildProcess | null = null;
  const stop = (): void => void child?.kill();
  options.signal.addEventListener("abort", stop);
  const goesOn = (): boolean => !options.signal.aborted && options.goesOn?.() !== false;
  for (let job = queue.shift(); job !== undefined && goesOn(); job = queue.shift()) {
    child ??= startWorker(options.worker);
    if (!(await workOn(child, job, options))) child = null;
  }
  options.signal.removeEventListener("abort", stop);
  child?.kill();
}

function startWorker(worker: URL): ChildProcess {
  const loader = worker.pathname.endsWith(".ts") ? ["--import", "tsx"] : [];
  return fork(worker, { execArgv: [...flags, ...loader], stdio: ["ignore", "ignore", "pipe", "ipc"] });
}

/** How much of what a process wrote before it died is told. */
const lastWords = 2000;

/** Whether the process is still there afterwards. */
function workOn<Job, Result>(child: ChildProcess, job: Job, options: PoolOptions<Job, Result>): Promise<boolean> {
  return new Promise((resolve) => {
    let said = "";
    const onText = (chunk: Buffer): void => {
      said = `${said}${chunk.toString("utf8")}`.slice(-lastWords);
    };
    const onMessage = (message: WorkerMessage<Result>): void => {
      if (message.kind === "progress") {
        options.onProgress(job, message.done);
        return;
      }
      if (message.kind === "question") {
        const answer = options.onQuestion?.(message.question) ?? null;
        if (answer !== null) child.send(answer);
        return;
      }
      end(true);
      options.onResult(job, message.result);
    };
    const onGone = (why: string): void => {
      end(false);
      if (!options.signal.aborted) options.onCrash(job, why);
    };
    const onExit = (code: number | null, killedBy: string | null): void => {
      const how = killedBy === null ? `exit code ${code}` : killedBy;
      onGone(`its process ended (${how})${said === "" ? "" : `: ${said.trim()}`}`);
    };
    const onError = (error: Error): void => onGone(error.message);
    const end = (isThere: boolean): void => {
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      child.stderr?.off("data", onText);
      resolve(isThere);
    };
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
    child.stderr?.on("data", onText);
    child.send(job as object);
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
