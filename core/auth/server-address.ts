import { cleanBaseUrl } from '../contract/base-url.ts'
import type { Machine } from '../ports/machine.ts'
import type { Settings } from '../settings/index.ts'

/** Returns the address of the console, for links and returns from elsewhere: the public one, or where Weir listens. */
export const serverAddress = (
  { ServerAddress }: Pick<Settings, 'ServerAddress'>,
  { address }: Pick<Machine, 'address'>,
): string => cleanBaseUrl(ServerAddress) || address
