// Plain JavaScript of an old dialect: whatever Node the machine has must be able to read it and say what is wrong.
var major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    "Leadline runs on Node 24, and this is Node " +
      process.versions.node +
      ". `npm ci` brings Node 24 along unless install scripts are switched off: run `npm ci --ignore-scripts=false`, or install Node 24 or newer.",
  );
  process.exit(1);
}
