using Polyjuice.Policies;
using Polyjuice.Publishing;

namespace Polyjuice.Storage.PostgreSql.Tests;

[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class PostgreSqlPolicyEntriesTests(PostgreSqlFixture postgres) : PolicyEntriesContract
{
    private readonly string _schema = postgres.NewOptions().Schema;

    [ConditionalFact]
    public async Task A_publication_is_read_by_others_and_prefixes_keep_places_apart()
    {
        var release = await new PolicyRepository(Entries, TimeProvider.System).PublishAsync(
            PolicyWriter.Write(BuiltinPolicies.Get("occ").Document), "anna");

        Assert.Equal(1, release.Number);
        Assert.Equal(1, (await new PolicyRepository(Another(), TimeProvider.System).ReadAsync()).InForce);
        Assert.Equal(0, await new PostgreSqlPolicyEntries(postgres.Admin, _schema, "other").GetLastAsync(default));
    }

    [ConditionalFact]
    public async Task Policies_and_logs_share_a_schema_and_do_not_see_each_other()
    {
        await Entries.CreateAsync(1, new byte[] { 1 }, default);
        var options = postgres.NewOptions();
        options.Schema = _schema;
        await using var store = await PostgreSqlLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        await store.Open(0).Fill(3);

        Assert.Equal(1, await Entries.GetLastAsync(default));
        Assert.Equal(3, await store.Open(0).End());
    }

    [ConditionalFact]
    public void A_name_that_could_be_more_than_a_name_is_refused()
    {
        foreach (var schema in (string[])["", "Upper", "a b", "x\"; DROP TABLE y; --", "1a", new string('a', 64)])
            Assert.Contains(
                "Schema",
                Assert.Throws<ArgumentException>(() => new PostgreSqlPolicyEntries(postgres.Admin, schema)).Message,
                StringComparison.Ordinal);
        Assert.Contains(
            "KeyPrefix",
            Assert.Throws<ArgumentException>(
            () => new PostgreSqlPolicyEntries(postgres.Admin, _schema, "/a")).Message, StringComparison.Ordinal);
    }

    private protected override ValueTask<IPolicyEntries> OpenAsync() => new(Another());

    private protected override IPolicyEntries Another() => new PostgreSqlPolicyEntries(postgres.Admin, _schema);
}
