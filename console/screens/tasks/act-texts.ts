// Texts of the administrators' actions on drawings and tasks.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    cancel: 'Cancel task',
    cancelQuestion: 'Cancel {name}?',
    cancelBody: 'It ends here as failed, and what it cost is given back. Its provider may finish it all the same.',
    cancelDone: 'task cancelled',
    retry: 'Retry',
    retryQuestion: 'Retry {name}?',
    retryBody: 'A new task begins, and its user and token pay for it.',
    retryDone: 'task retried',
    refund: 'Refund',
    refundQuestion: 'Give back what {name} cost?',
    refundBody: 'The user gets it back, once. The result stays.',
    refundDone: 'given back',
    isOver: 'It is over',
    isOpen: 'It is not over',
    nothingLeft: 'Nothing of it is left to give back',
  },
  zh: {
    cancel: '取消任务',
    cancelQuestion: '取消 {name}？',
    cancelBody: '任务在此以失败结束并退还费用，上游仍可能完成它。',
    cancelDone: '任务已取消',
    retry: '重试',
    retryQuestion: '重试 {name}？',
    retryBody: '将创建新任务，由其用户与令牌付费。',
    retryDone: '已重试',
    refund: '退还费用',
    refundQuestion: '退还 {name} 的费用？',
    refundBody: '费用退还给用户，仅一次，结果保留。',
    refundDone: '已退还',
    isOver: '任务已结束',
    isOpen: '任务尚未结束',
    nothingLeft: '没有可退还的费用',
  },
})
