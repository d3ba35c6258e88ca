// vitest loads xstate's development build, which takes the start of one machine within an action of another (a site
// starts its content agents) for a misuse of assign(). The build that users get does not warn.
const warn = console.warn.bind(console);
console.warn = (...args: unknown[]) => {
  if (!String(args[0]).startsWith("Custom actions should not call `assign()` directly")) warn(...args);
};
