// The small bundle has no gateway: it runs commands only while a server answers.
import type { LocalGateway } from './connect.ts'
import { GatewayUnreachable } from '../failure.ts'
import { words } from '../texts.ts'

/** @throws GatewayUnreachable: the server has stopped since the command was started */
export async function openLocalGateway(): Promise<LocalGateway> {
  throw new GatewayUnreachable(words('The server on this machine has just stopped: run the command again.'))
}
