// Texts of the comparison of a channel's models with its provider's list.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    title: 'Models of {name}',
    filter: 'Filter models',
    new: 'New',
    gone: 'No longer listed',
    kept: 'Kept',
    all: 'Choose all',
    none: 'Choose none',
    copy: 'Copy list',
    apply: 'Apply',
    outcome: '{n} models: {added} added, {removed} removed',
    same: 'The channel has exactly what its provider lists.',
    nothing: 'No model matches.',
    needModel: 'Please select at least one model!',
    fetched: 'model list fetched',
    retry: 'Try again',
  },
  zh: {
    title: '{name} 的模型',
    filter: '筛选模型',
    new: '新增',
    gone: '服务商已不再列出',
    kept: '保留',
    all: '全选',
    none: '全不选',
    copy: '复制列表',
    apply: '应用',
    outcome: '共 {n} 个模型：新增 {added} 个，移除 {removed} 个',
    same: '该渠道的模型与服务商所列完全一致。',
    nothing: '没有匹配的模型',
    needModel: '请先选中至少一个模型！',
    fetched: '获取模型列表成功',
    retry: '重试',
  },
})
