// The floors of the house, and for each folder the folders below that it may import. What those may import, it may too.
// A folder that is not here may not exist.
const arrows = {
  cli: ["run", "report", "terminal"],
  run: ["strategies", "tasks", "models", "scenario", "statistics", "retrieval"],
  strategies: ["agents", "retrieval"],
  tasks: ["agents", "metrics", "corpora"],
  models: ["agents"],
  report: ["statistics", "trace"],
  terminal: ["statistics"],
  agents: ["kernel", "trace"],
  retrieval: ["corpora"],
  scenario: ["kernel", "corpora"],
  statistics: ["trace", "metrics"],
  kernel: [],
  trace: [],
  metrics: [],
  corpora: ["kernel"],
};
const cellar = ["src/errors\\.ts", "src/package-root\\.ts"];

const reach = (folder) => new Set([folder, ...arrows[folder].flatMap((below) => [...reach(below)])]);
const inside = (folders) => [...folders].map((folder) => `src/${folder}/`);
const anyOf = (paths) => `^(${paths.join("|")})`;
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    rule("no-circle", "Modules must not import each other in a circle.", {}, { circular: true }),
    rule("resolvable", "What is imported must exist.", {}, { couldNotResolve: true }),
    ...Object.keys(arrows).map((folder) =>
      rule(
        `floor-of-${folder}`,
        `src/${folder} imports only what its arrows lead to.`,
        { path: anyOf(inside([folder])) },
        { path: "^src/", pathNot: anyOf([...inside(reach(folder)), ...cellar]) },
      ),
    ),
    rule("cellar", "The cellar imports nothing of awesim.", { path: anyOf(cellar) }, { path: "^src/" }),
    rule(
      "known-folder",
      "Every folder of src has a floor.",
      { path: "^src/", pathNot: anyOf([...inside(Object.keys(arrows)), ...cellar, "src/index\\.ts"]) },
      {},
    ),
    rule("index", "src/index.ts is for users; inside, import the file itself.", {}, { path: "^src/index\\.ts" }),
    rule(
      "kernel-alone",
      "The kernel imports nothing but seedrandom.",
      { path: "^src/kernel/" },
      { pathNot: "^(src/kernel/|node_modules/(@types/)?seedrandom/)" },
    ),
    rule(
      "metrics-alone",
      "Measures are pure functions: no package, no node module.",
      { path: "^src/metrics/" },
      { pathNot: "^src/(metrics/|errors\\.ts)" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
