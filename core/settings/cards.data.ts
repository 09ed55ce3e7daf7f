// Where settings stand on the settings screen: tabs, and the cards of each in their order.
import { words, type Words } from '../errors.ts'

export const tabs = {
  operation: words('Operation', '运营设置'),
  ratelimit: words('Rate limit', '速率限制设置'),
  models: words('Models', '模型相关设置'),
  system: words('System', '系统设置'),
  other: words('Other', '其他设置'),
} as const satisfies Record<string, Words>

export type Tab = keyof typeof tabs

/** By `tab.card`. */
export const cards = {
  'operation.general': words('General', '通用设置'),
  'operation.groups': words('Groups', '分组设置'),
  'operation.prices': words('Model prices', '模型倍率设置'),
  'operation.chat': words('Chat', '令牌聊天设置'),
  'operation.quota': words('Quota', '额度设置'),
  'operation.drawing': words('Drawing and tasks', '绘图与任务设置'),
  'operation.sensitive': words('Sensitive words', '屏蔽词过滤设置'),
  'operation.logs': words('Log', '日志设置'),
  'operation.bodies': words('Bodies of calls', '调用内容设置'),
  'operation.dashboard': words('Dashboard', '数据看板设置'),
  'operation.monitoring': words('Monitoring', '监控设置'),
  'operation.routing': words('Routing and time limits', '路由与时限设置'),
  'ratelimit.requests': words('Model requests', '模型请求速率限制'),
  'ratelimit.limits': words('Limits per minute', '每分钟速率限制'),
  'models.gemini': words('Gemini', 'Gemini 设置'),
  'models.claude': words('Claude', 'Claude 设置'),
  'models.global': words('All models', '全局设置'),
  'models.responses': words('Kept answers', '回答保存设置'),
  'system.server': words('Server address', '服务器地址设置'),
  'system.worker': words('Worker', '代理设置'),
  'system.payment': words('Payment', '支付设置'),
  'system.epay': words('Epay', '易支付设置'),
  'system.stripe': words('Stripe', 'Stripe 设置'),
  'system.login': words('Login and registration', '配置登录注册'),
  'system.email': words('E-mail domains', '邮箱域名设置'),
  'system.smtp': words('Mail', 'SMTP 设置'),
  'system.oidc': words('OIDC', 'OIDC 设置'),
  'system.github': words('GitHub', 'GitHub 设置'),
  'system.linuxdo': words('LinuxDO', 'LinuxDO 设置'),
  'system.wechat': words('WeChat', '微信设置'),
  'system.telegram': words('Telegram', 'Telegram 设置'),
  'system.turnstile': words('Human check', '人机验证设置'),
  'system.network': words('Network', '网络设置'),
  'other.content': words('Contents of the site', '站点内容'),
  'other.version': words('Version', '版本'),
} as const satisfies Record<`${Tab}.${string}`, Words>

export type Card = keyof typeof cards

export const tabOf = (card: Card): Tab => card.slice(0, card.indexOf('.')) as Tab
