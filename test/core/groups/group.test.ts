// The group of a call, and the price in that group.
import { describe, expect, test } from 'vitest'
import { getCallGroup, getGroupRatio, listUsableGroups } from '../../../core/groups/group.ts'

const tables = {
  GroupRatio: { default: 1, vip: 0.9, svip: 0.8, free: 0 },
  UserUsableGroups: { default: 'Default group', svip: 'SVIP', old: 'Retired' },
}

describe('groups', () => {
  test("a user's own group is always usable, under its name where nothing describes it", () => {
    expect(listUsableGroups('vip', tables)).toEqual({ ...tables.UserUsableGroups, vip: 'vip' })
    expect(listUsableGroups('svip', tables)).toEqual(tables.UserUsableGroups)
    expect(listUsableGroups('', tables)).toEqual(tables.UserUsableGroups)
  })

  test("the token's group wins over the user's", () => {
    expect(getCallGroup('vip', 'svip', tables)).toBe('svip')
    expect(getCallGroup('vip', '', tables)).toBe('vip')
    expect(getCallGroup('', '', tables)).toBe('default')
  })

  test('a token reaches no group that its owner may not use', () => {
    expect(() => getCallGroup('vip', 'free', tables)).toThrow(expect.objectContaining({ code: 'group.disabled' }))
    expect(getCallGroup('free', 'free', tables)).toBe('free')
  })

  test('a group without a multiplier is retired for tokens, and costs 1 as a user group', () => {
    expect(() => getCallGroup('vip', 'old', tables)).toThrow(expect.objectContaining({ code: 'group.retired' }))
    expect(getCallGroup('partner', '', tables)).toBe('partner')
    expect(getGroupRatio('partner', tables)).toBe(1)
  })

  test('a multiplier of 0 is 0', () => {
    expect(getGroupRatio('free', tables)).toBe(0)
  })

  test('names that every object has are no groups', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(getGroupRatio(name, tables)).toBe(1)
      expect(() => getCallGroup('vip', name, tables)).toThrow(expect.objectContaining({ code: 'group.disabled' }))
    }
    expect(listUsableGroups('constructor', tables).constructor).toBe('constructor')
  })
})
