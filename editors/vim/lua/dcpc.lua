-- Starts `dcpc lsp` for a buffer with a registration; Neovim 0.7 or newer.
local M = {}

-- Completion by CTRL-X CTRL-O, which newer versions set up by themselves.
local function attach(client)
  vim.lsp.buf_attach_client(0, client)
  vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
end

function M.start()
  local command = vim.g.dcpc_command or { "dcpc", "lsp" }
  if #command == 0 or vim.fn.executable(command[1]) == 0 then
    return
  end
  local name = vim.api.nvim_buf_get_name(0)
  local root = name ~= "" and vim.fn.fnamemodify(name, ":p:h") or vim.fn.getcwd()
  for _, client in pairs(vim.lsp.get_active_clients()) do
    if client.name == "dcpc" and client.config.root_dir == root then
      attach(client.id)
      return
    end
  end
  local id = vim.lsp.start_client({ name = "dcpc", cmd = command, root_dir = root })
  if id then
    attach(id)
  end
end

return M
