/**
 * Imported before anything of React: its development build, the default, draws more slowly and keeps a performance
 * entry of every component of every frame for as long as the process lives.
 */
process.env["NODE_ENV"] ??= "production";
