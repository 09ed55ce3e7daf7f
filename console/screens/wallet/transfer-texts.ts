// Texts of moving invitation earnings.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    title: 'Transfer invitation earnings',
    available: 'Available',
    transfer: 'Transfer',
    minimum: 'minimum transfer amount {amount}',
    tooMuch: 'more than is available',
    done: 'transferred to the balance: {amount}',
  },
  zh: {
    title: '划转邀请收益',
    available: '可用收益',
    transfer: '划转',
    minimum: '划转金额最低为 {amount}',
    tooMuch: '超过可用收益',
    done: '已转入余额：{amount}',
  },
})
