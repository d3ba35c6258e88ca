import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

// Nothing in a run's result may depend on the machine, the wall clock or the locale.
const ports = ["src/models/**", "src/retrieval/embedders/**"];
const people = ["src/terminal/**", "src/cli/**"];

const banned = (selector, message) => ({ selector, message });
const method = (name) => `CallExpression[callee.property.name=${name}]`;

const timeBans = [
  banned("MemberExpression[object.name='Date'][property.name='now']", "Take the kernel's clock, or a clock handed in."),
  banned("NewExpression[callee.name='Date'][arguments.length=0]", "Take the kernel's clock, or a clock handed in."),
  banned("CallExpression[callee.name='Date']", "Take the kernel's clock, or a clock handed in."),
  banned("MemberExpression[object.name='performance'][property.name='now']", "Take a clock handed in."),
  banned("MemberExpression[property.name='hrtime']", "Take a clock handed in."),
  banned("CallExpression[callee.name=/^(setTimeout|setInterval)$/]", "Schedule on the kernel."),
  banned(
    "CallExpression[callee.object.name='globalThis'][callee.property.name=/^(setTimeout|setInterval)$/]",
    "Schedule on the kernel.",
  ),
  banned(
    "ImportDeclaration[source.value=/^(node:)?timers/] ImportSpecifier[imported.name=/^(setTimeout|setInterval)$/]",
    "Schedule on the kernel.",
  ),
];
const chanceBans = [
  banned("MemberExpression[object.name='Math'][property.name='random']", "Draw from a keyed stream (src/kernel/random.ts)."),
  banned(method("localeCompare"), "Compare by code unit: a < b ? -1 : 1."),
  banned(method("/^toLocale/"), "Write the text without the locale."),
  banned("MemberExpression[object.name='Intl']", "Write the text without the locale."),
];
// Their last bit is the engine's own choice. A power of two is exact.
const inexactBans = [
  banned("MemberExpression[object.name='Math'][property.name=/^(pow|sin|cos)$/]", "Not the same on every engine: use * or exp and log."),
  banned(
    "BinaryExpression[operator='**']:not([left.value=2][right.type=/^(Literal|UnaryExpression)$/])",
    "Not the same on every engine: use * or exp and log; only 2 ** <a whole number> is exact.",
  ),
  banned("AssignmentExpression[operator='**=']", "Not the same on every engine: use * or exp and log."),
];
const restricted = (...bans) => ({ "no-restricted-syntax": ["error", ...bans.flat()] });

export default defineConfig(
  { ignores: ["dist/", "coverage/", "runs/", "corpora/", "node_modules/"] },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  { files: ["src/**"], rules: restricted(chanceBans, timeBans, inexactBans) },
  { files: ports, rules: restricted(chanceBans, inexactBans) },
  { files: people, rules: restricted(inexactBans) },
);
