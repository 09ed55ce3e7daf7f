// `weir env`: the variables that `weir run` sets for a program, as lines for a shell.
import { publicAddress } from '../address.ts'
import { command } from '../command.ts'
import { modelsOf } from '../model-names.ts'
import {
  clientNames,
  needsModels,
  buildClientConfig,
  vendorNames,
  vendorVariables,
  type ClientName,
  type ClientPlace,
  type ClientConfig,
} from '../../core/tokens/clients.ts'
import { shellLines, shellNames, detectShell, type ShellName } from '../../core/tokens/shell.ts'
import { words } from '../texts.ts'
import { tokenKey } from '../token-key.ts'

export const env = command({
  name: 'env',
  readOnly: true,
  summary: words('Print the lines that point clients of a shell at Weir'),
  details: words('Into the shell at hand: eval "$(weir env)", for fish: weir env | source'),
  options: {
    client: {
      flag: '--client <name>',
      help: words('only for this vendor or agent (otherwise all vendors)'),
      choices: clientNames,
    },
    shell: {
      flag: '--shell <name>',
      help: words('whose lines (otherwise those of the shell at hand)'),
      choices: shellNames,
    },
    token: {
      flag: '--token <token>',
      help: words('id or name of an own token, or a key (otherwise the newest that works)'),
    },
    model: { flag: '--model <name>', help: words('the model it begins with') },
  },
  async run(context) {
    const { options, print } = context
    const client = options.client as ClientName | undefined
    const connection = await context.connection()
    const key = await tokenKey(connection.client, options.token)
    const address = await publicAddress(connection, context)
    const models = needsModels(client) ? await modelsOf(address, key) : []
    const place: ClientPlace = { key, address, model: options.model, models }
    const pointings: ClientConfig[] = client
      ? [buildClientConfig(client, place)]
      : vendorNames.map((vendor) => ({ variables: vendorVariables(vendor, place) }))
    const shell = (options.shell as ShellName | undefined) ?? detectShell(context.env)
    await print.text(
      pointings.flatMap((each) => shellLines(shell, each)).join('\n'),
      Object.assign({}, ...pointings.map(({ variables }) => variables)),
    )
  },
})
