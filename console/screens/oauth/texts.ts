// Texts of the return from a service.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    done: 'login success',
    bound: 'binding success',
    failed: 'operation failed, redirecting to login',
    failedBound: 'operation failed',
  },
  zh: { done: '登录成功', bound: '绑定成功', failed: '操作失败，正在跳转到登录页', failedBound: '操作失败' },
})
