"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.HooklineApi = void 0;
class HooklineApi {
    name = 'hooklineApi';
    displayName = 'Hookline API';
    icon = { light: 'file:../icons/hookline.svg', dark: 'file:../icons/hookline.dark.svg' };
    documentationUrl = 'http://localhost:8080/docs/n8n';
    properties = [
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
    authenticate = {
        type: 'generic',
        properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
    };
    // Needs no scope, and counts as one request.
    test = {
        request: {
            baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/api\\/v1$/, "")}}/api/v1',
            url: '/usage',
        },
    };
}
exports.HooklineApi = HooklineApi;
