// Settings of the usage log.
import { flag, setting } from './setting.ts'

export const logSettings = {
  LogConsumeEnabled: setting({
    value: flag(true),
    label: 'Log calls',
    help: 'Off: calls are charged but leave no row in the usage log',
    section: 'logs',
    writer: 'proven_admin',
  }),
}
