using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Polyjuice.Policies;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace BankSilo.Tests.Policies;

/// <summary>
/// What is published in a folder that is mounted as Kubernetes mounts a config map: each file is a link to
/// <c>..data/FILE</c>, and <c>..data</c> a link to a folder, which is what changes.
/// </summary>
public sealed class PolicyFolderTests : IDisposable
{
    private readonly string _published = Directory.CreateTempSubdirectory("published").FullName;
    private readonly string _mounted = Directory.CreateTempSubdirectory("mounted").FullName;
    private readonly PolicyRepository _repository;

    public PolicyFolderTests() => _repository = new(new FilePolicyEntries(_published), TimeProvider.System);

    public void Dispose()
    {
        Directory.Delete(_published, recursive: true);
        Directory.Delete(_mounted, recursive: true);
    }

    [Fact]
    public async Task What_is_published_in_a_mounted_config_map_is_taken_and_so_is_a_rollback_and_what_is_missing_changes_nothing()
    {
        await _repository.PublishAsync(Text("ic3"), "anna");
        Mount("one");
        await using var silo = RunningSilo.Create(
            $"--Silo:PolicyFolder={_mounted}", "--Policies:PollInterval=00:00:00.1", "--Polyjuice:Policy=occ");
        var changes = Channel.CreateUnbounded<PolicyChange>();
        silo.Host.Services.GetRequiredService<PolicyFollower>().Changed += change => changes.Writer.TryWrite(change);
        await silo.Host.StartAsync();
        await TakenAsync("ic3");

        await _repository.PublishAsync(Text("locking"), "anna");
        Mount("two");
        await TakenAsync("locking");

        // As if the commit that published it had been reverted: that is not how it is taken back.
        Mount("three", except: 2);
        await _repository.RollBackAsync("a test", "anna");
        Mount("four");
        await TakenAsync("ic3");

        async Task TakenAsync(string policy)
        {
            var change = await changes.Reader.ReadAsync();
            Assert.Equal((PolicyChangeKind.Taken, policy), (change.Kind, change.Policy));
            Assert.Equal(policy, silo.Host.Services.GetRequiredService<PolicyStore>().Current.Name);
        }
    }

    [Fact]
    public async Task Options_of_following_are_bound_and_what_is_out_of_bounds_is_named()
    {
        await using var silo = RunningSilo.Create($"--Silo:PolicyFolder={_mounted}", "--Policies:CommitDropMax=2");
        var refusal = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(
            () => silo.Host.StartAsync());
        Assert.Contains("CommitDropMax", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, "SigningKey is missing")]
    [InlineData(true, "which is none of PublishedPoliciesOptions.PublisherKeys")]
    public async Task A_trainer_whose_releases_silos_would_not_take_is_refused_at_the_start(
        bool hasKey, string expected)
    {
        var (publisher, other) = (PolicySigningKey.Generate(), PolicySigningKey.Generate());
        string[] key = hasKey ? [$"--Trainer:SigningKey={other.ToPem()}"] : [];
        await using var silo = RunningSilo.Create(
            [
                $"--Silo:PolicyFolder={_mounted}",
                $"--Silo:TraceFolder={_published}",
                "--Trainer:Enabled=true",
                $"--Trainer:StateFolder={_published}",
                $"--Policies:PublisherKeys:0={publisher.Verification.ToPem()}",
                .. key
            ]);
        var refusal = await Assert.ThrowsAsync<Orleans.Runtime.OrleansConfigurationException>(
            () => silo.Host.StartAsync());
        Assert.Contains(expected, refusal.Message, StringComparison.Ordinal);
    }

    private void Mount(string name, int except = 0)
    {
        var data = Directory.CreateDirectory(Path.Combine(_mounted, $"..{name}")).FullName;
        var files = Directory.GetFiles(_published, "*.json").Select(Path.GetFileName)
            .Where(file => file != $"{except:D8}.json").ToList();
        foreach (var file in files) File.Copy(Path.Combine(_published, file!), Path.Combine(data, file!));

        // One rename, as the kubelet does it; then the links that are new, and those that lead nowhere go.
        Directory.CreateSymbolicLink(Path.Combine(_mounted, "..next"), data);
        using (var move = System.Diagnostics.Process.Start(
            "mv", ["-T", Path.Combine(_mounted, "..next"), Path.Combine(_mounted, "..data")]))
            move.WaitForExit();
        foreach (var file in files.Where(file => !File.Exists(Path.Combine(_mounted, file!))))
            File.CreateSymbolicLink(Path.Combine(_mounted, file!), Path.Combine("..data", file!));
        foreach (var link in Directory.GetFiles(_mounted, "*.json")
            .Where(link => !files.Contains(Path.GetFileName(link))))
            File.Delete(link);
    }

    private static string Text(string name) => PolicyWriter.Write(BuiltinPolicies.Get(name).Document);
}
