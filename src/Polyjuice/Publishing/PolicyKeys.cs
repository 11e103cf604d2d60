using System.Security.Cryptography;

namespace Polyjuice.Publishing;

/// <summary>
/// The private key of who publishes, or of a silo that may roll back:
/// ECDSA on P-256. Keep it where secrets are kept. Thread-safe.
/// </summary>
internal sealed class PolicySigningKey
{
    private readonly string _pem;

    private PolicySigningKey(string pem, PolicyVerificationKey verification)
    {
        _pem = pem;
        Verification = verification;
    }

    /// <summary>The public half, for those who check.</summary>
    public PolicyVerificationKey Verification { get; }

    /// <summary>A new one.</summary>
    public static PolicySigningKey Generate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return Parse(key.ExportPkcs8PrivateKeyPem());
    }

    /// <summary>Reads one.</summary>
    /// <param name="pem">As <see cref="ToPem"/> or openssl writes it: <c>BEGIN PRIVATE KEY</c>, not encrypted.</param>
    /// <exception cref="ArgumentException">It is none; the message does not quote it.</exception>
    public static PolicySigningKey Parse(string pem)
    {
        ArgumentNullException.ThrowIfNull(pem);
        using var key = PolicyKeyText.Import(
            pem, "private key (BEGIN PRIVATE KEY, as 'polyjuice policy keygen' writes it)");
        try
        {
            return new PolicySigningKey(
                key.ExportPkcs8PrivateKeyPem(), new PolicyVerificationKey(key.ExportSubjectPublicKeyInfo()));
        }
        catch (CryptographicException exception)
        {
            throw new ArgumentException(
                "It is a public key, and signing takes the private one: BEGIN PRIVATE KEY, as 'polyjuice policy "
                + "keygen' writes it.",
                nameof(pem),
                exception);
        }
    }

    /// <summary>As a file keeps it.</summary>
    public string ToPem() => _pem + "\n";

    /// <summary>Signs a SHA-256.</summary>
    internal PolicySignature Sign(ReadOnlySpan<byte> digest)
    {
        using var key = PolicyKeyText.Import(_pem, "private key");
        return new(Verification.Id, Convert.ToBase64String(key.SignHash(digest)));
    }
}

/// <summary>The public key of somebody whose entries count. Thread-safe.</summary>
internal sealed class PolicyVerificationKey
{
    private const int IdBytes = 8;
    private readonly byte[] _info;

    internal PolicyVerificationKey(byte[] info)
    {
        _info = info;
        Id = Convert.ToHexStringLower(SHA256.HashData(info).AsSpan(0, IdBytes));
    }

    /// <summary>
    /// What entries name it by: the first 16 hexadecimal digits of the SHA-256 of the key (its SubjectPublicKeyInfo).
    /// </summary>
    public string Id { get; }

    /// <summary>Reads one.</summary>
    /// <param name="pem">
    /// As <see cref="ToPem"/> or openssl writes it: <c>BEGIN PUBLIC
    /// KEY</c>. Of a private key, the public half is taken.
    /// </param>
    /// <exception cref="ArgumentException">It is none.</exception>
    public static PolicyVerificationKey Parse(string pem)
    {
        ArgumentNullException.ThrowIfNull(pem);
        using var key = PolicyKeyText.Import(
            pem, "public key (BEGIN PUBLIC KEY, as 'polyjuice policy keygen' writes it)");
        return new PolicyVerificationKey(key.ExportSubjectPublicKeyInfo());
    }

    /// <summary>As a file keeps it.</summary>
    public string ToPem() => PemEncoding.WriteString("PUBLIC KEY", _info) + "\n";

    /// <summary>Whether a signature of a SHA-256 is this key's.</summary>
    internal bool Verify(ReadOnlySpan<byte> digest, string signature)
    {
        Span<byte> value = stackalloc byte[64];
        if (!Convert.TryFromBase64String(signature, value, out var length) || length != value.Length) return false;
        using var key = ECDsa.Create();
        key.ImportSubjectPublicKeyInfo(_info, out _);
        return key.VerifyHash(digest, value);
    }
}

/// <summary>Reads keys of either kind, and refuses other curves.</summary>
internal static class PolicyKeyText
{
    private const string P256 = "1.2.840.10045.3.1.7";

    public static ECDsa Import(string pem, string what)
    {
        var key = ECDsa.Create();
        try
        {
            key.ImportFromPem(pem);
            if (key.ExportParameters(includePrivateParameters: false).Curve.Oid.Value == P256) return key;
        }
        catch (Exception exception) when (exception is ArgumentException or CryptographicException)
        {
            // Its text may quote the secret.
        }

        key.Dispose();
        throw new ArgumentException($"It is no {what} on the curve P-256.");
    }
}
