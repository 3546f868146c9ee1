// Starts `dcpc lsp` and leaves everything else to it.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const [command, ...args] = workspace.getConfiguration("dcpc").get("command");
  const files = workspace.createFileSystemWatcher("**/*");
  client = new LanguageClient("dcpc", "dcpc", { command, args }, {
    documentSelector: [{ language: "dcp" }],
    synchronize: { fileEvents: files },
  });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`dcpc did not start: ${error.message}. Install it with: pip install dcp-lang`);
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(commands.registerCommand("dcpc.restart", async () => {
    await client?.stop();
    await start();
  }));
  await start();
};

exports.deactivate = () => client?.stop();
