using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Publishing.Following;

/// <summary>
/// How a silo follows what is published, and whose releases it takes. Validated at start, with the option's name.
/// </summary>
public sealed class PublishedPoliciesOptions : PolicyFollowerOptions
{
    /// <summary>
    /// Public keys (PEM, <c>BEGIN PUBLIC KEY</c>) of those who may publish. With any
    /// key here or in <see cref="RollbackKeys"/>, what none of them has signed is
    /// passed over. Default: none, so that whoever may write to the place may publish.
    /// </summary>
    public IList<string> PublisherKeys { get; } = [];

    /// <summary>Public keys (PEM) of those who may only take a release back: the silos' own. Default: none.</summary>
    public IList<string> RollbackKeys { get; } = [];

    /// <summary>
    /// The private key (PEM, <c>BEGIN PRIVATE KEY</c>) that this silo signs its rollbacks with. A secret: take it from
    /// where secrets are kept. Where keys are needed and this is <see langword="null"/>, as by default, a release that
    /// turns out worse is put back at this silo alone, and the log says so.
    /// </summary>
    public string? SigningKey { get; set; }

    /// <summary>Whose entries count, by the keys.</summary>
    /// <exception cref="ArgumentException">A key is none.</exception>
    internal PolicyTrust Trust =>
        new(PublisherKeys.Select(PolicyVerificationKey.Parse), RollbackKeys.Select(PolicyVerificationKey.Parse));

    /// <summary>What rollbacks are signed with.</summary>
    /// <exception cref="ArgumentException">It is no private key.</exception>
    internal PolicySigningKey? Key => SigningKey is { } pem ? PolicySigningKey.Parse(pem) : null;

    /// <inheritdoc/>
    public override IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        var results = base.Validate(validationContext).ToList();
        foreach (var (name, keys) in new[]
        {
            (nameof(PublisherKeys), PublisherKeys), (nameof(RollbackKeys), RollbackKeys)
        })
        {
            for (var i = 0; i < keys.Count; i++)
            {
                if (Problem(keys[i], static pem => PolicyVerificationKey.Parse(pem)) is { } problem)
                    results.Add(new($"{name}[{i}]: {problem}", [name]));
            }
        }

        if (SigningKey is { } key && Problem(key, static pem => PolicySigningKey.Parse(pem)) is { } wrong)
            results.Add(new($"{nameof(SigningKey)}: {wrong}", [nameof(SigningKey)]));
        if (RollbackKeys.Count > 0 && PublisherKeys.Count == 0)
            results.Add(
                new(
                    $"{nameof(RollbackKeys)} are given, and no {nameof(PublisherKeys)}, so nobody could publish.",
                    [nameof(PublisherKeys)]));
        if (results.Count == 0 && Key is { } own && !Trust.Accepts(own.Verification, isRelease: false))
            results.Add(
                new(
                    $"{nameof(SigningKey)} is key {own.Verification.Id}, which is neither in {nameof(RollbackKeys)} "
                    + $"nor in {nameof(PublisherKeys)}, so what it signs would not count.",
                    [nameof(SigningKey)]));
        return results;
    }

    private static string? Problem(string pem, Action<string> parse)
    {
        try
        {
            parse(pem);
            return null;
        }
        catch (ArgumentException exception)
        {
            return exception.Message;
        }
    }
}
