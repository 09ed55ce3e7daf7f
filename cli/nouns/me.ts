// Display of the signed-in user's own account.
import type { User, UserSetting } from '../../core/users/user.ts'
import { words } from '../texts.ts'
import { count, flag, money, text, type OutputView } from '../output/view.ts'

/** The account with its settings, invitation code and authenticator app. */
export interface OwnAccount {
  user: User
  setting: UserSetting
  invitation: string
  totp: { enabled: boolean; backup_codes_left: number }
}

export const ownAccountView: OutputView<OwnAccount> = {
  id: count(words('ID'), 1, ({ user }) => user.id),
  username: text(words('USERNAME'), 1, ({ user }) => user.username),
  display_name: text(words('DISPLAY NAME'), 1, ({ user }) => user.display_name),
  email: text(words('E-MAIL'), 1, ({ user }) => user.email || null),
  group: text(words('GROUP'), 1, ({ user }) => user.group),
  quota: money(words('QUOTA', { context: 'balance' }), 1, ({ user }) => user.quota),
  used_quota: money(words('USED'), 1, ({ user }) => user.used_quota),
  notify_type: text(words('NOTIFIED BY'), 1, ({ setting }) => setting.notify_type),
  warning_threshold: money(words('WARNED BELOW'), 1, ({ setting }) => setting.quota_warning_threshold),
  webhook_url: text(words('WEBHOOK ADDRESS'), 1, ({ setting }) => setting.webhook_url || null),
  notification_email: text(words('NOTIFICATION E-MAIL'), 1, ({ setting }) => setting.notification_email || null),
  invitation: text(words('INVITATION CODE'), 1, ({ invitation }) => invitation),
  invited: count(words('INVITED'), 1, ({ user }) => user.aff_count),
  earnings: money(words('INVITATION EARNINGS'), 1, ({ user }) => user.aff_quota),
  authenticator: flag(words('AUTHENTICATOR APP'), 1, ({ totp }) => totp.enabled),
  backup_codes_left: count(words('BACKUP CODES LEFT'), 1, ({ totp }) => (totp.enabled ? totp.backup_codes_left : null)),
}
