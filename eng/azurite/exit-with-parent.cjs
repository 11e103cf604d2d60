// Loaded into Azurite by the tests (node --require): a test host that is killed must not leave it behind.
process.stdin.on("end", () => process.exit(0));
process.stdin.on("error", () => process.exit(0));
process.stdin.resume();
