-- additive
-- The icon of an app's store page is fetched like its screenshots, for closing slides; no list shows it.
alter table pictures drop constraint picture_kind_known;
alter table pictures add constraint picture_kind_known check (kind in ('upload', 'screenshot', 'icon')) not valid;
alter table pictures drop constraint picture_screenshot_has_source;
alter table pictures
  add constraint picture_of_page_has_source check ((kind = 'upload') = (source_url is null)) not valid;
