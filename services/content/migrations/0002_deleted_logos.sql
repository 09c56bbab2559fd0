-- additive
-- A picture that is deleted is no logo any more.
update apps set brand = jsonb_set(brand, '{logoImageId}', 'null')
where brand ->> 'logoImageId' is not null and not exists (select from pictures where id = brand ->> 'logoImageId');
