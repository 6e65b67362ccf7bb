// Imports end with .js, as Node.js wants them.
export default { input: "openapi.json", output: { path: "client", module: { extension: ".js" } } };
