import { cleanBaseUrl } from '../contract/url.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Settings } from '../settings/index.ts'

/** Returns the address of the console, for links and returns from elsewhere: the public one, or where Weir listens. */
export const getServerAddress = (
  { ServerAddress }: Pick<Settings, 'ServerAddress'>,
  { address }: Pick<HostMachine, 'address'>,
): string => cleanBaseUrl(ServerAddress) || address
