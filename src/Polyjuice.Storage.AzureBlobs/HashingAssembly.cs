using System.IO.Hashing;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>
/// Names a type of System.IO.Hashing, so that the assembly is among this one's references and is copied along with it, into every application. The client needs it; the project file
/// says why it comes as an assembly.
/// </summary>
internal static class HashingAssembly
{
    /// <summary>The checksum that the client computes.</summary>
    public static Type Checksum => typeof(Crc64);
}
