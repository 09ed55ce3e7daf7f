// Texts of the page of a key.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    title: 'Use a key',
    token: 'Token',
    lead: 'Copy or download what your client reads, then send a call to see that it works.',
    manage: 'Manage tokens',
    failed: 'The tokens could not be loaded',
    retry: 'Retry',
    gone: 'This token is not there, or not enabled',
    other: 'Use another one',
  },
  zh: {
    title: '使用密钥',
    token: '令牌',
    lead: '复制或下载客户端读取的配置，然后发送一次调用以确认可用。',
    manage: '管理令牌',
    failed: '令牌加载失败',
    retry: '重试',
    gone: '该令牌不存在或未启用',
    other: '使用其他令牌',
  },
})
