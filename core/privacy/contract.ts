import { z } from 'zod'
import { Download } from '../contract/replies.ts'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'

const ofUser = z.object({ user_id: z.coerce.number().int() })

/** Times in epoch seconds; 0 if not requested, or not done. */
const Forgetting = z.object({ asked_at: z.number(), done_at: z.number(), left: z.number() })

export const privacy = {
  exportSelf: endpoint({
    method: 'GET',
    path: '/api/user/self/data',
    access: 'user',
    scope: 'read',
    summary: words(
      'All that is kept of the signed-in user, as a JSON file: account, tokens, sessions, ledger, log and the rest',
      '以 JSON 文件导出当前用户的全部数据：账户、令牌、会话、账本、日志等',
    ),
    reply: Download,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/user/{user_id}/data',
    access: 'admin',
    scope: 'all',
    summary: words('All that is kept of a user, as a JSON file', '以 JSON 文件导出某用户的全部数据'),
    params: ofUser,
    reply: Download,
  }),
  forget: endpoint({
    method: 'POST',
    path: '/api/user/{user_id}/forget',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words(
      'Forget a user for good: the account is deregistered, names, addresses and secrets go at once, rows of the log little by little; the ledger keeps its entries by number',
      '彻底遗忘某用户：注销账户，立即删除名称、地址与密钥，逐步删除日志记录；账本仅按编号保留条目',
    ),
    params: ofUser,
    reply: Forgetting,
  }),
  forgetting: endpoint({
    method: 'GET',
    path: '/api/user/{user_id}/forget',
    access: 'admin',
    scope: 'read',
    summary: words('How far the forgetting of a user is', '遗忘某用户的进度'),
    params: ofUser,
    reply: Forgetting,
  }),
}
