using BankSilo.Policies;
using BankSilo.Settings;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Policies;

namespace BankSilo.Tests.Policies;

public sealed class PolicyFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("policies").FullName;
    private readonly PolicyStore _policies = new(new SiteRegistry(), BuiltinPolicies.Get("occ"));
    private readonly PolicyFile _file;

    public PolicyFileTests() => _file = new(
        _policies, Options.Create(new PolyjuiceOptions()), Options.Create(new SiloSettings()), TimeProvider.System, NullLogger<PolicyFile>.Instance);

    private string Mounted => Path.Combine(_folder, "bank.json");

    public void Dispose()
    {
        _file.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void A_file_that_has_changed_is_in_force_even_behind_a_symbolic_link()
    {
        // As Kubernetes does it: bank.json is a link to ..data/bank.json, and ..data a link to a folder, which is what changes.
        Write("one", "first");
        Directory.CreateSymbolicLink(Path.Combine(_folder, "..data"), Path.Combine(_folder, "one"));
        File.CreateSymbolicLink(Mounted, Path.Combine(_folder, "..data", "bank.json"));
        _file.Look(Mounted);
        Assert.Equal("occ", _policies.Current.Name);

        Write("two", "second");
        Directory.Delete(Path.Combine(_folder, "..data"));
        Directory.CreateSymbolicLink(Path.Combine(_folder, "..data"), Path.Combine(_folder, "two"));
        _file.Look(Mounted);
        Assert.Equal("second", _policies.Current.Name);
    }

    [Fact]
    public void A_file_that_is_no_policy_or_is_gone_changes_nothing_until_it_is_one_again()
    {
        File.WriteAllText(Mounted, Policy("first"));
        _file.Look(Mounted);
        File.WriteAllText(Mounted, "{ \"schema\": 1,");
        _file.Look(Mounted);
        Assert.Equal("occ", _policies.Current.Name);
        File.Delete(Mounted);
        _file.Look(Mounted);
        Assert.Equal("occ", _policies.Current.Name);
        File.WriteAllText(Mounted, Policy("third"));
        _file.Look(Mounted);
        Assert.Equal("third", _policies.Current.Name);
    }

    [Fact]
    public void A_file_that_has_not_changed_is_not_put_in_force_again()
    {
        File.WriteAllText(Mounted, Policy("first"));
        _file.Look(Mounted);
        _policies.Swap(BuiltinPolicies.Get("locking"));
        _file.Look(Mounted);
        Assert.Equal("locking", _policies.Current.Name);
    }

    private void Write(string folder, string name) =>
        File.WriteAllText(Path.Combine(Directory.CreateDirectory(Path.Combine(_folder, folder)).FullName, "bank.json"), Policy(name));

    private static string Policy(string name) =>
        $$"""{ "schema": 1, "name": "{{name}}", "description": "For a test.", "default": { "read": "clean", "write": "private", "earlyValidation": false, "waitForHolders": false } }""";
}
