import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

export class HooklineApi implements ICredentialType {
  name = 'hooklineApi';

  displayName = 'Hookline API';

  icon: Icon = { light: 'file:../icons/hookline.svg', dark: 'file:../icons/hookline.dark.svg' };

  documentationUrl = 'http://localhost:8080/docs/n8n';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: 'http://localhost:8080',
      required: true,
      description: 'Where Hookline runs, with or without /api/v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      placeholder: 'svc_live_...',
      description: 'A key with the scopes that the workflow needs, and no more',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  // Needs no scope, and counts as one request.
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/api\\/v1$/, "")}}/api/v1',
      url: '/usage',
    },
  };
}
