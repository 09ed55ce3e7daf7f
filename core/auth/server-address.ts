import { cleanBaseUrl } from '../contract/base-url.ts'
import type { Settings } from '../settings/index.ts'

/** The address of the console, for links and returns from elsewhere. */
export const serverAddress = ({ ServerAddress }: Pick<Settings, 'ServerAddress'>): string =>
  cleanBaseUrl(ServerAddress) || 'http://localhost:3000'
