// Guards of commands that work on the database of this machine directly, without a server.
import { fillTemplate } from '../../core/errors.ts'
import type { CommandEnvironment } from '../command.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import { asUntranslatedText } from '../language.ts'
import { words } from '../texts.ts'

/** @throws UsageError if the command is sent to a server */
export function refuseServer(name: string, server: string | undefined): void {
  if (server !== undefined) throw new UsageError(fillTemplate(NO_SERVER, { name: asUntranslatedText(name) }))
}

/** @throws Refusal if a server is running on this data folder */
export async function refuseRunning({ findServer }: Pick<CommandEnvironment, 'findServer'>): Promise<void> {
  if (await findServer()) throw new GatewayRefusal(RUNNING, 'server_running')
}

const NO_SERVER = words('{name} works on the Weir of this machine and does not accept --server (WEIR_SERVER).')
const RUNNING = words('Weir is running on this data folder: stop it, then try again.')
