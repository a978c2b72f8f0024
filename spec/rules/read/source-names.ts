/**
 * Names in the specification source that violate our naming rules, with the section that contains each name. We can't
 * change these names.
 */
export const sourceNames: Record<string, string> = {
  _id: '2.8, 2.9',
  access_token: '2.12',
  token_type: '2.12',
  expires_in: '2.12',
  grant_type: '4.11',
  error_description: '7',
  indexID: '2.5',
  projectId: '2.8',
  database: '2.5',
  createdDate: '2.10',
  createdAt: '2.8',
  created: '2.3, 2.4',
  updatedDate: '2.8',
}
