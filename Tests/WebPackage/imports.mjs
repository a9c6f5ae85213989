// Imports the entry points of the installed package, without a DOM, as a server does. Prints what they export.

const found = {};
for (const entry of ["refreshd-client", "refreshd-client/core", "refreshd-client/element", "refreshd-client/protocol-types"]) {
  found[entry] = Object.keys(await import(entry)).sort();
}
process.stdout.write(JSON.stringify(found));
