// Which group a call is made in, and what it costs there.
import { describe, expect, test } from 'vitest'
import { callGroup, groupRatio, usableGroups } from '../../../core/groups/group.ts'

const tables = {
  GroupRatio: { default: 1, vip: 0.9, svip: 0.8, free: 0 },
  UserUsableGroups: { default: 'Default group', svip: 'SVIP', old: 'Retired' },
}

describe('groups', () => {
  test("a user's own group is always usable, under its name where nothing describes it", () => {
    expect(usableGroups('vip', tables)).toEqual({ ...tables.UserUsableGroups, vip: 'vip' })
    expect(usableGroups('svip', tables)).toEqual(tables.UserUsableGroups)
    expect(usableGroups('', tables)).toEqual(tables.UserUsableGroups)
  })

  test("the token's group wins over the user's", () => {
    expect(callGroup('vip', 'svip', tables)).toBe('svip')
    expect(callGroup('vip', '', tables)).toBe('vip')
    expect(callGroup('', '', tables)).toBe('default')
  })

  test('a token reaches no group that its owner may not use', () => {
    expect(() => callGroup('vip', 'free', tables)).toThrow(expect.objectContaining({ code: 'group.disabled' }))
    expect(callGroup('free', 'free', tables)).toBe('free')
  })

  test('a group without a multiplier is retired for tokens, and costs 1 as a user group', () => {
    expect(() => callGroup('vip', 'old', tables)).toThrow(expect.objectContaining({ code: 'group.retired' }))
    expect(callGroup('partner', '', tables)).toBe('partner')
    expect(groupRatio('partner', tables)).toBe(1)
  })

  test('a multiplier of 0 is 0', () => {
    expect(groupRatio('free', tables)).toBe(0)
  })

  test('names that every object has are no groups', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(groupRatio(name, tables)).toBe(1)
      expect(() => callGroup('vip', name, tables)).toThrow(expect.objectContaining({ code: 'group.disabled' }))
    }
    expect(usableGroups('constructor', tables).constructor).toBe('constructor')
  })
})
