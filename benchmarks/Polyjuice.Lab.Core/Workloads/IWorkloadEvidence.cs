namespace Polyjuice.Lab.Workloads;

/// <summary>A workload that can tell what its clients have seen.</summary>
public interface IWorkloadEvidence
{
    /// <summary>Writes it into a folder of evidence.</summary>
    /// <param name="folder">Where; files of the same names are replaced.</param>
    /// <exception cref="IOException">It can't be written.</exception>
    void Save(string folder);
}
