// `weir me …`: the account of the signed-in user; on the host, that of the super administrator.
import { group } from '../../command.ts'
import { words } from '../../texts.ts'
import { sessionsCommand } from '../sessions.ts'
import {
  editCommand,
  exportCommand,
  invitationCommand,
  notificationsCommand,
  removeCommand,
  showCommand,
  transferCommand,
} from './account.ts'
import { secondFactorCommand } from './second-factor.ts'
import { emailCommand, passkeysCommand, passwordCommand, signInsCommand, unbindCommand } from './sign-in.ts'

export const meCommand = group({
  name: 'me',
  summary: words('Your own account'),
  commands: [
    showCommand,
    editCommand,
    passwordCommand,
    emailCommand,
    notificationsCommand,
    invitationCommand,
    transferCommand,
    signInsCommand,
    unbindCommand,
    secondFactorCommand,
    passkeysCommand,
    sessionsCommand,
    exportCommand,
    removeCommand,
  ],
})
