// Texts of the panel that edits all channels of a tag.
import { texts } from '../../data/texts.tsx'

export const words = texts({
  en: {
    title: 'Edit tag',
    banner: 'edits overwrite; empty fields stay unchanged',
    tagName: 'Tag name',
    tagNameHint: 'Empty: the channels have no tag any more',
    unchanged: 'Empty: unchanged',
    clearMapping: 'Clear mapping',
    keepMapping: 'No change',
    mappingError: 'model_mapping must be valid JSON',
    priorityError: 'priority must be an integer',
    weightError: 'weight must be a non-negative integer',
    noChanges: 'No changes!',
    updated: 'tag updated',
    save: 'Save',
  },
  zh: {
    title: '编辑标签',
    banner: '填写的内容会覆盖原值，空着的项保持不变',
    tagName: '标签名称',
    tagNameHint: '留空则渠道不再有标签',
    unchanged: '留空则不更改',
    clearMapping: '清空重定向',
    keepMapping: '不更改',
    mappingError: '模型映射的 JSON 格式不对',
    priorityError: '优先级必须是整数',
    weightError: '权重必须是非负整数',
    noChanges: '没有任何修改！',
    updated: '标签更新成功',
    save: '保存',
  },
})
