// A DynamoDB that others wrote, on a port of the loopback interface that the system chooses; told on standard output.
const server = require("dynalite")({ createTableMs: 50, deleteTableMs: 50, updateTableMs: 50 });
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
