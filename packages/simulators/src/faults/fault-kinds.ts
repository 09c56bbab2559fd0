export type FaultKind = { platform: string; operation: string; kind: string; description: string };

const answerKinds = {
  slow: 'Does the work after delayMs (default 10000), whether or not the caller still waits.',
  connection_dropped: 'Destroys the connection before doing anything.',
  garbage: 'Answers 200 with a body that is not in the platform’s format.',
  oversize: 'Answers 200 with a body of 8 MB.',
  redirect: 'Answers 302 to another path.',
};

const apiKinds = {
  ...answerKinds,
  access_token_invalid: '401: the token is not valid or expired.',
  scope_not_authorized: '401: the grant lacks the scope.',
  rate_limit_exceeded: '429: over the limit of this user token.',
  internal_error: '500, and nothing was done.',
};

const initKinds = {
  ...apiKinds,
  accepted_answer_dropped: 'Accepts the post, then destroys the connection without an answer.',
  accepted_then_slow: 'Accepts the post at once and holds the answer for delayMs (default 10000).',
  accepted_internal_error: 'Accepts the post, then answers 500.',
  invalid_param: '400: a parameter is not valid.',
  app_version_check_failed: '400: the user’s TikTok app is too old for drafts.',
  spam_risk_too_many_posts: '403: daily post cap of this creator.',
  spam_risk_user_banned_from_posting: '403: the creator is banned from posting.',
  spam_risk_too_many_pending_share: '403: five drafts are open.',
  reached_active_user_cap: '403: the client’s daily number of creators is used up.',
  unaudited_client_can_only_post_to_private_accounts: '403: client unaudited and account public.',
  url_ownership_unverified: '403: a photo URL is not under a verified property.',
  privacy_level_option_mismatch: '403: privacy level missing or not among the options.',
};

const failReasons = {
  file_format_check_failed: 'Ends as FAILED after the pull: an image is neither JPEG nor WebP.',
  picture_size_check_failed: 'Ends as FAILED after the pull: an image is too large.',
  photo_pull_failed: 'Ends as FAILED without any image request.',
  internal: 'Ends as FAILED after the pull: TikTok’s own trouble.',
  auth_removed: 'Ends as FAILED after the pull: the creator withdrew consent.',
  spam_risk_too_many_posts: 'Ends as FAILED after the pull: daily post cap.',
  spam_risk_user_banned_from_posting: 'Ends as FAILED after the pull: creator banned.',
  spam_risk_text: 'Ends as FAILED after the pull: text judged as spam.',
  spam_risk: 'Ends as FAILED after the pull: post judged as spam.',
};

const oauthKinds = {
  ...answerKinds,
  accepted_answer_dropped: 'Does the work (a refresh rotates the tokens), then destroys the connection.',
  access_denied: 'The server said no.',
  invalid_client: 'Key or secret refused.',
  invalid_grant: 'Code or refresh token refused.',
  invalid_request: 'A parameter is missing or malformed.',
  invalid_scope: 'The scope is not one of the app.',
  unauthorized_client: 'The app may not use this grant.',
  unsupported_grant_type: 'The grant is not supported.',
  server_error: 'TikTok’s own trouble, nothing was done.',
  temporarily_unavailable: 'TikTok’s own trouble, nothing was done.',
};

const sentBackKinds = Object.fromEntries(
  [
    'invalid_request',
    'invalid_scope',
    'unauthorized_client',
    'unsupported_response_type',
    'server_error',
    'temporarily_unavailable',
  ].map(kind => [kind, `Sends everyone back with ${kind}.`]),
);

const storeKinds = { ...answerKinds, down: '503.', not_found: 'The listing does not exist.' };

const youtubeKinds = {
  ...answerKinds,
  quotaExceeded: '403: the day’s quota is used up.',
  rateLimitExceeded: '429: too many requests a minute.',
  keyInvalid: '400: the API key is not valid.',
  backendError: '500.',
  partial: '200 with every second video of the answer left out.',
};

const instagramKinds = {
  ...answerKinds,
  token_expired: '400, code 190, subcode 463.',
  token_revoked: '400, code 190, subcode 460.',
  rate_limited: '403, code 80002: the account.',
  app_rate_limited: '403, code 4: the whole app.',
  transient: '500, code 2, is_transient.',
  object_missing: '400, code 100, subcode 33.',
  not_enough_viewers: '400, code 10.',
  before_conversion: '400, code 100, subcode 2108006: posted before the account was a business account.',
  no_data: 'Insights only: an empty list, as for numbers that are not there yet.',
};

const llmKinds = {
  down: '503.',
  rate_limited: '429 with Retry-After of delayMs (default 1000), in whole seconds.',
  internal_error: '500.',
  invalid_api_key: '401, quoting both ends of the key as the real one does.',
  invalid_key_listed: '400 with the error in a list, as Gemini answers a key that it does not know.',
  unauthorized_detail: '401 with `detail` alone, as Mistral answers.',
  model_not_found: '404 that names the model.',
  insufficient_quota: '429: the credit of the key is used up; without Retry-After.',
  needs_max_tokens: '400 for a request without a bound on its tokens.',
  refuses_max_tokens: '400 for max_tokens, in favour of max_completion_tokens.',
  refuses_extra: '422 for any field beside the common ones.',
  no_json_schema: '400 for a response_format of type json_schema.',
  no_lengths: '400 for a schema with minLength or maxLength.',
  ignores_schema: 'Accepts a json_schema and follows only one that is in the words of the question.',
  no_response_format: '400 for any response_format.',
  empty_choices: '200 without a choice.',
  refusal: 'The model declines: refusal instead of content.',
  content_filter: 'Ends with finish_reason content_filter.',
  prompt_filtered:
    '400 with code content_filter, as Azure answers a text that its filter does not let through.',
  input_flagged: '403 with flagged_input, as OpenRouter answers a text that its moderation flags.',
  safety: 'Ends with finish_reason SAFETY, which is the word of Gemini, and without content.',
  provider_failed:
    '200 that ends with finish_reason error, as OpenRouter answers when the model behind it fails.',
  empty: 'Content without a character.',
  spent: 'All tokens went into thinking: no content, finish_reason length.',
  thinking_parts: 'Content as a list of parts, thinking before text, as reasoning models of Mistral answer.',
  truncated: 'Half of the answer, finish_reason length.',
  malformed_json: 'Content that is almost JSON.',
  wrapped_json: 'Content in a code fence, behind thinking, with words around it.',
  parroted: 'Repeats the worked example of the question.',
  invented: 'Every text that names the app says that it does more than the listing says.',
  wrong_count: 'Every list lacks its last entry.',
  repeated_slides: 'Every list repeats its first entry.',
  over_long: 'Every text thirty times as long.',
  banned_phrase: 'Every text ends in worn advertising.',
  claim: 'Every text ends in a rank and a number of users.',
  link: 'Every text ends in a link.',
  foreign_name: 'Every text names a product that the data does not.',
  rare_script: 'Every text ends in a script that hardly any font has.',
  obeys_data: 'Every text is the longest text of the user message: data taken for orders.',
};

/** Every available fault, one per real failure reason of each platform's operations. */
export const faultKinds: readonly FaultKind[] = [
  ...kindsOf('tiktok', 'authorize', {
    access_denied: 'The consent page sends everyone back with access_denied.',
    ...sentBackKinds,
  }),
  ...kindsOf('tiktok', 'oauth_token', oauthKinds),
  ...kindsOf('tiktok', 'oauth_revoke', oauthKinds),
  ...kindsOf('tiktok', 'user_info', apiKinds),
  ...kindsOf('tiktok', 'creator_info', {
    ...apiKinds,
    spam_risk_too_many_posts: '200 with this code: daily post cap.',
    spam_risk_user_banned_from_posting: '200 with this code: creator banned.',
    reached_active_user_cap: '200 with this code: client’s daily number of creators used up.',
  }),
  ...kindsOf('tiktok', 'content_init', initKinds),
  ...kindsOf('tiktok', 'status_fetch', {
    ...apiKinds,
    invalid_publish_id: '400.',
    token_not_authorized_for_specified_publish_id: '400.',
  }),
  ...kindsOf('tiktok', 'video_query', apiKinds),
  ...kindsOf('tiktok', 'pull', { late_pull: 'Asks for the first image delayMs later (default 10000).' }),
  ...kindsOf('tiktok', 'publish', {
    ...failReasons,
    slow_processing: 'Stays in PROCESSING_DOWNLOAD delayMs longer (default 10000) after the pull.',
  }),
  ...kindsOf('tiktok', 'webhook', {
    lost: 'Never sent.',
    duplicated: 'Sent twice.',
    late: 'Sent delayMs later (default 10000).',
  }),
  ...kindsOf('appstore', 'lookup', { ...storeKinds, rate_limited: '403: over 20 calls a minute.' }),
  ...kindsOf('googleplay', 'details', { ...storeKinds, rate_limited: '429 with a captcha page.' }),
  ...kindsOf('youtube', 'videos_list', youtubeKinds),
  ...kindsOf('youtube', 'batch_get_stats', youtubeKinds),
  ...kindsOf('instagram', 'media', instagramKinds),
  ...kindsOf('instagram', 'insights', instagramKinds),
  ...kindsOf('instagram', 'refresh', instagramKinds),
  ...kindsOf('llm', 'chat_completions', { ...answerKinds, ...llmKinds }),
];

function kindsOf(platform: string, operation: string, kinds: Record<string, string>): FaultKind[] {
  return Object.entries(kinds).map(([kind, description]) => ({ platform, operation, kind, description }));
}
