using System.Security.Cryptography;
using Polyjuice.Policies;
using Polyjuice.Publishing;

namespace Polyjuice.Tests.Publishing;

public sealed class SignatureTests
{
    private readonly TamperedEntries _entries = new();
    private readonly PolicySigningKey _publisher = PolicySigningKey.Generate();
    private readonly PolicySigningKey _silo = PolicySigningKey.Generate();
    private readonly PolicySigningKey _stranger = PolicySigningKey.Generate();
    private readonly PolicyTrust _trust;

    public SignatureTests() => _trust = new([_publisher.Verification], [_silo.Verification]);

    [Fact]
    public async Task What_a_configured_key_has_signed_counts()
    {
        await By(_publisher).PublishAsync(Text("occ"), "anna");

        var history = await new PolicyRepository(_entries, TimeProvider.System, _trust).ReadAsync();

        Assert.Equal(1, history.InForce);
        Assert.Equal(_publisher.Verification.Id, history.Entries[0].Key);
    }

    [Fact]
    public async Task What_is_unsigned_or_strange_is_passed_over_and_what_follows_counts()
    {
        await By(_publisher).PublishAsync(Text("occ"), "anna");
        await By(null).PublishAsync(Text("ic3"), "nobody");
        await By(_stranger).PublishAsync(Text("locking"), "mallory");
        var repository = new PolicyRepository(_entries, TimeProvider.System, _trust);
        var history = await repository.ReadAsync();

        Assert.Equal(1, history.InForce);
        Assert.Null(history.Break);
        Assert.Contains("is not signed", history.Entries[1].Problem, StringComparison.Ordinal);
        Assert.Contains(_stranger.Verification.Id, history.Entries[2].Problem, StringComparison.Ordinal);

        await By(_publisher).PublishAsync(Text("auto"), "anna");
        Assert.Equal(4, (await repository.ReadAsync(history)).InForce);
    }

    [Fact]
    public async Task A_signature_under_a_trusted_keys_name_that_is_not_its_own_is_passed_over()
    {
        await By(_stranger).PublishAsync(Text("occ"), "mallory");
        var entry = (PolicyRelease)PolicyEntryFormat.Read((await _entries.ReadAsync(1, default))!, "it");
        foreach (var value in (string[])[
            entry.Signature!.Value, "", "AAAA", "not base64", Convert.ToBase64String(new byte[64])
        ])
        {
            _entries.Put(1, PolicyEntryFormat.Write(entry with { Signature = new(_publisher.Verification.Id, value) }));
            var history = await new PolicyRepository(_entries, TimeProvider.System, _trust).ReadAsync();
            Assert.Equal(0, history.InForce);
        }
    }

    [Fact]
    public async Task A_signature_does_not_fit_another_entry()
    {
        await By(_publisher).PublishAsync(Text("occ"), "anna");
        var entry = (PolicyRelease)PolicyEntryFormat.Read((await _entries.ReadAsync(1, default))!, "it");
        _entries.Put(1, PolicyEntryFormat.Write(entry with { Policy = Text("ic3") }));

        var history = await new PolicyRepository(_entries, TimeProvider.System, _trust).ReadAsync();

        Assert.Equal(0, history.InForce);
        Assert.Contains("wrong signature", history.Entries[0].Problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_silos_key_rolls_back_and_publishes_nothing()
    {
        var silo = new PolicyRepository(_entries, TimeProvider.System, _trust, _silo);
        await By(_publisher).PublishAsync(Text("occ"), "anna");

        await Assert.ThrowsAsync<InvalidOperationException>(() => silo.PublishAsync(Text("ic3"), "silo"));
        Assert.Equal(2, (await silo.RollBackAsync("slow", "silo")).Number);
        await By(_silo).PublishAsync(Text("ic3"), "whoever has stolen the silo's key");

        Assert.Equal((0, 3), (await silo.ReadAsync()) is var history ? (history.InForce, history.Last) : default);
    }

    [Fact]
    public async Task Without_a_key_nothing_is_published_where_keys_are_needed()
    {
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => new PolicyRepository(_entries, TimeProvider.System, _trust).PublishAsync(Text("occ"), "anna"));
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => new PolicyRepository(_entries, TimeProvider.System, _trust, _stranger).PublishAsync(
                Text("occ"), "anna"));

        Assert.Equal(0, await _entries.GetLastAsync(default));
    }

    [Fact]
    public void Keys_are_read_back_from_their_files()
    {
        Assert.Equal(_publisher.Verification.Id, PolicySigningKey.Parse(_publisher.ToPem()).Verification.Id);
        Assert.Equal(_publisher.Verification.Id, PolicyVerificationKey.Parse(_publisher.Verification.ToPem()).Id);
        Assert.Equal(_publisher.Verification.Id, PolicyVerificationKey.Parse(_publisher.ToPem()).Id);
    }

    [Fact]
    public void What_is_no_such_key_is_refused()
    {
        using var other = ECDsa.Create(ECCurve.NamedCurves.nistP384);
        using var rsa = RSA.Create(2048);
        foreach (var pem in (string[])["", "secret", other.ExportPkcs8PrivateKeyPem(), rsa.ExportPkcs8PrivateKeyPem()])
        {
            Assert.Throws<ArgumentException>(() => PolicySigningKey.Parse(pem));
            Assert.Throws<ArgumentException>(() => PolicyVerificationKey.Parse(pem));
        }

        Assert.Contains(
            "public key",
            Assert.Throws<ArgumentException>(() => PolicySigningKey.Parse(_publisher.Verification.ToPem())).Message,
            StringComparison.Ordinal);
    }

    private PolicyRepository By(PolicySigningKey? key) => new(_entries, TimeProvider.System, key: key);

    private static string Text(string name) => PolicyWriter.Write(BuiltinPolicies.Get(name).Document);
}
