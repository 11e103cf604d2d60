using Azure.Storage.Blobs;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Storage.AzureBlobs.Tests;

[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class AzureBlobPolicyEntriesTests(AzuriteFixture azurite) : PolicyEntriesContract
{
    private readonly FaultyTransport _way = new();
    private BlobContainerClient _container = null!;

    [ConditionalFact]
    public async Task A_publication_whose_answer_got_lost_is_there_once_and_is_the_publishers()
    {
        _way.LoseNextAnswer(request => request.Method == Azure.Core.RequestMethod.Put);

        var release = await new PolicyRepository(Entries, TimeProvider.System).PublishAsync(
            PolicyWriter.Write(BuiltinPolicies.Get("occ").Document), "anna");

        Assert.Equal(1, release.Number);
        Assert.Equal(1, (await new PolicyRepository(Another(), TimeProvider.System).ReadAsync()).InForce);
    }

    [ConditionalFact]
    public async Task Other_blobs_are_not_entries()
    {
        foreach (var name in (string[])[
            "policies/notes.json", "policies/7.json", "policies/00000009.txt", "00000008.json",
            "policies/more/00000008.json"
        ])
            await _container.GetBlobClient(name).UploadAsync(new BinaryData("x"));

        Assert.Equal(0, await Entries.GetLastAsync(default));
    }

    [ConditionalFact]
    public async Task A_container_that_is_not_there_is_named()
    {
        var entries = new AzureBlobPolicyEntries(BlobClients.Container(azurite.NewOptions()));

        foreach (var call in (Func<Task>[])[
            async () => await entries.GetLastAsync(default),
            async () => await entries.ReadAsync(1, default),
            async () => await entries.CreateAsync(1, new byte[1], default)
        ])
            Assert.Contains(
                "there is no container",
                (await Assert.ThrowsAsync<IOException>(call)).Message,
                StringComparison.Ordinal);
    }

    private protected override async ValueTask<IPolicyEntries> OpenAsync()
    {
        _container = BlobClients.Container(azurite.NewOptions(client => client.Transport = _way));
        await _container.CreateAsync();
        return Another();
    }

    private protected override IPolicyEntries Another() => new AzureBlobPolicyEntries(_container);
}
